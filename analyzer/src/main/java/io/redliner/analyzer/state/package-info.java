// SPDX-License-Identifier: Apache-2.0
/**
 * Stores the analysis of live runs. A versioned snapshot contains the state and the verdicts that may not have been published yet;
 * a snapshot of another version is refused. The analyzer that gets the partition resumes the run from it.
 */
@NullMarked
package io.redliner.analyzer.state;

import org.jspecify.annotations.NullMarked;
