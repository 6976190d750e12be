// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel's tables of TCP sockets come in. Which queues are full, and so whether client, network or server is waited
 * for, is decided for the port of each instance. Gauges of each instance go out.
 */
@NullMarked
package io.redliner.collector.sockets;

import org.jspecify.annotations.NullMarked;
