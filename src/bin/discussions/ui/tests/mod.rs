//! Keys as messages, screens as snapshots.
