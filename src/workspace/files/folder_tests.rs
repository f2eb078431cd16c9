use super::*;

#[test]
fn parallel_work_keeps_its_order() {
    let numbers: Vec<usize> = (0..1000).collect();
    let doubled = each(&numbers, |number| number * 2);
    assert!(doubled.iter().enumerate().all(|(index, number)| *number == index * 2));
}
