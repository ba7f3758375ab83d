// What the host of the module can request of a running call.

#ifndef UPRIGHT_HOST_H
#define UPRIGHT_HOST_H

/// Why the host stops the current call: 0 if it does not, 1 for a cancellation, 2 for a time limit.
int requested_stop(void);

#endif
