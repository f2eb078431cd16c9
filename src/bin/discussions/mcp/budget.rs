//! The budget of the server. The amount that a run may spend is reserved before it begins.

/// The rest of the budget.
#[derive(Debug)]
pub(super) struct ServerBudget {
    left: Option<f64>,
}

impl ServerBudget {
    pub(super) fn new(max_usd: Option<f64>) -> Self {
        Self { left: max_usd }
    }

    /// Reserves the amount that a run may spend: at most what it asks for, or everything that is left if it names no
    /// amount. Without a budget, returns the amount that the run asks for.
    pub(super) fn take(&mut self, asked: Option<f64>) -> Option<f64> {
        let Some(left) = &mut self.left else { return asked };
        let share = asked.map_or(*left, |asked| asked.min(*left)).max(0.0);
        *left -= share;
        Some(share)
    }

    /// Gives the unspent part of a reservation back to the budget.
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
    fn reserved_money_is_not_reserved_twice_and_the_rest_returns() {
        let mut purse = ServerBudget::new(Some(1.0));
        assert_eq!(purse.take(Some(0.25)), Some(0.25));
        assert_eq!(purse.take(None), Some(0.75));
        assert_eq!(purse.take(Some(5.0)), Some(0.0));
        purse.put_back(Some(0.75), 0.5);
        assert_eq!(purse.take(None), Some(0.25));
        assert_eq!(ServerBudget::new(None).take(Some(2.0)), Some(2.0));
        assert_eq!(ServerBudget::new(None).take(None), None);
    }
}
