//! The money of the server's whole life: what a run may spend is put aside for it before it begins.

/// What is left of the money.
#[derive(Debug)]
pub(super) struct Purse {
    left: Option<f64>,
}

impl Purse {
    pub(super) fn new(max_usd: Option<f64>) -> Self {
        Self { left: max_usd }
    }

    /// Takes out what a run may spend: what it asks for, as far as it is there; all that is there where it asks for nothing.
    /// None where money is no matter.
    pub(super) fn take(&mut self, asked: Option<f64>) -> Option<f64> {
        let Some(left) = &mut self.left else { return asked };
        let share = asked.map_or(*left, |asked| asked.min(*left)).max(0.0);
        *left -= share;
        Some(share)
    }

    /// Puts back what was taken and not spent.
    pub(super) fn put_back(&mut self, taken: Option<f64>, spent: f64) {
        if let (Some(left), Some(taken)) = (&mut self.left, taken) {
            *left += taken - spent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lent_twice_and_what_is_not_spent_comes_back() {
        let mut purse = Purse::new(Some(1.0));
        assert_eq!(purse.take(Some(0.25)), Some(0.25));
        assert_eq!(purse.take(None), Some(0.75));
        assert_eq!(purse.take(Some(5.0)), Some(0.0));
        purse.put_back(Some(0.75), 0.5);
        assert_eq!(purse.take(None), Some(0.25));
        assert_eq!(Purse::new(None).take(Some(2.0)), Some(2.0));
        assert_eq!(Purse::new(None).take(None), None);
    }
}
