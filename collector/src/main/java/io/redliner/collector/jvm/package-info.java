// SPDX-License-Identifier: Apache-2.0
/**
 * JMX beans and the performance counters of the instances' JVMs come in. Pauses, collections, threads that wait and
 * what the garbage collector costs are worked out from one poll to the next. Gauges of each instance go out.
 */
@NullMarked
package io.redliner.collector.jvm;

import org.jspecify.annotations.NullMarked;
