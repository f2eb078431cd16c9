"""Tests of the packages: one module for each way to install them. `packaging/test` runs them."""
