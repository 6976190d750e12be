// SPDX-License-Identifier: Apache-2.0
/** The runs topic: which services are watched more finely, and against which latency limits. */
@NullMarked
package io.redliner.collector.run;

import org.jspecify.annotations.NullMarked;
