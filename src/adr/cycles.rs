//! Circles of records that replace each other.

/// Returns the circles in a graph, each group of records that hang together once, sorted. `next` holds for each record
/// the records that it replaces. `visit` is called for each step, so that a test can count them: at most three for each
/// record and link.
pub(crate) fn cycles(next: &[Vec<usize>], mut visit: impl FnMut()) -> Vec<Vec<usize>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (from, targets) in next.iter().enumerate() {
        targets.iter().for_each(|to| before[*to].push(from));
    }
    // A record in no circle loses all its links from one side, when its neighbours are taken away one after another.
    let mut left = vec![true; next.len()];
    for (out, back) in [(next, &before[..]), (&before[..], next)] {
        let count = |at: usize| out[at].iter().filter(|to| left[**to]).count();
        let mut degree: Vec<usize> = (0..next.len()).map(count).collect();
        let mut free: Vec<usize> =
            (0..next.len()).filter(|at| left[*at] && degree[*at] == 0).collect();
        while let Some(at) = free.pop() {
            visit();
            left[at] = false;
            for other in back[at].iter().filter(|other| left[**other]) {
                visit();
                degree[*other] -= 1;
                if degree[*other] == 0 {
                    free.push(*other);
                }
            }
        }
    }
    let mut groups = Vec::new();
    for start in 0..next.len() {
        if !left[start] {
            continue;
        }
        let (mut group, mut ahead) = (Vec::new(), vec![start]);
        left[start] = false;
        while let Some(at) = ahead.pop() {
            visit();
            group.push(at);
            for other in next[at].iter().chain(&before[at]) {
                if std::mem::take(&mut left[*other]) {
                    ahead.push(*other);
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(next: &[&[usize]]) -> Vec<Vec<usize>> {
        let next: Vec<Vec<usize>> = next.iter().map(|targets| targets.to_vec()).collect();
        cycles(&next, || {})
    }

    #[test]
    fn each_circle_is_found_once() {
        assert_eq!(found(&[&[1], &[2], &[]]), [[0; 0]; 0]);
        assert_eq!(found(&[&[1], &[0], &[1]]), [[0, 1]]);
        assert_eq!(found(&[&[1], &[2, 3], &[0], &[], &[5], &[4]]), [&[0, 1, 2][..], &[4, 5]]);
        assert_eq!(found(&[&[1, 1], &[0]]), [[0, 1]]);
    }

    #[test]
    fn long_chains_and_circles_take_linear_steps() {
        for closed in [false, true] {
            let count = 5_000;
            let next = (0..count).map(|at| match at + 1 {
                to if to == count => {
                    if closed {
                        vec![0]
                    } else {
                        Vec::new()
                    }
                }
                to => vec![to],
            });
            let (next, mut steps) = (next.collect::<Vec<_>>(), 0);
            let groups = cycles(&next, || steps += 1);
            assert_eq!(groups.len(), usize::from(closed));
            assert!(steps <= 3 * 2 * count, "{steps}");
        }
    }
}
