"""For all tests."""

import signal

# Whoever runs us in the background may have us ignore Ctrl-C, and with us every program under test.
signal.signal(signal.SIGINT, signal.default_int_handler)
