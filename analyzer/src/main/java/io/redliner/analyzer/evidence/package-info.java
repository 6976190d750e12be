// SPDX-License-Identifier: Apache-2.0
/** What is remembered of a run's windows for its diagnosis and its validity: small, immutable, storable. Plain Java. */
@NullMarked
package io.redliner.analyzer.evidence;

import org.jspecify.annotations.NullMarked;
