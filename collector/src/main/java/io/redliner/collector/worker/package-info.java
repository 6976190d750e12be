// SPDX-License-Identifier: Apache-2.0
/** The threads of the collector: named, stoppable, and visible when they die. */
@NullMarked
package io.redliner.collector.worker;

import org.jspecify.annotations.NullMarked;
