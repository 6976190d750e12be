// SPDX-License-Identifier: Apache-2.0
/** How throughput grows with concurrency or size. */
@NullMarked
package io.redliner.sla.scalability;

import org.jspecify.annotations.NullMarked;
