// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel's tables and folders of processes come in. Which process listens on an instance's address, in which
 * network namespace, is found there, and counters are compared with their last value. Process ids and rates go out to
 * whichever source asks.
 */
@NullMarked
package io.redliner.collector.linux;

import org.jspecify.annotations.NullMarked;
