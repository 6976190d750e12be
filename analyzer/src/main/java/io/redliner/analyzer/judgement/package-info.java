// SPDX-License-Identifier: Apache-2.0
/** Judges a window of a run against its SLA and its guards. Plain Java. */
@NullMarked
package io.redliner.analyzer.judgement;

import org.jspecify.annotations.NullMarked;
