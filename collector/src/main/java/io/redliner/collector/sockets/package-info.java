// SPDX-License-Identifier: Apache-2.0
/** What waits in the sockets of the instances on this machine, from the kernel's tables. */
@NullMarked
package io.redliner.collector.sockets;

import org.jspecify.annotations.NullMarked;
