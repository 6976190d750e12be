// SPDX-License-Identifier: Apache-2.0
/** Looks through JMX at the JVMs of the instances: collections, pauses, allocation, threads and locks. */
@NullMarked
package io.redliner.collector.jvm;

import org.jspecify.annotations.NullMarked;
