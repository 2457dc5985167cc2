"""What people see: the page in a real browser. A package, so that its tests share one."""
