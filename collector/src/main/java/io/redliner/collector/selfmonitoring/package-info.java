// SPDX-License-Identifier: Apache-2.0
/**
 * The collector's own waits, CPU time and event loops come in. When it stood still or had too little CPU is decided by
 * limits. Degradations and gauges of the collector itself go out into the windows that they touch.
 */
@NullMarked
package io.redliner.collector.selfmonitoring;

import org.jspecify.annotations.NullMarked;
