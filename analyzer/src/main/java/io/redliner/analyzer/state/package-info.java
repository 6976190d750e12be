// SPDX-License-Identifier: Apache-2.0
/**
 * What is known of a live run comes in. It is written as one versioned snapshot with the verdicts that may not have
 * been published yet; one of another version is refused. The run goes on in whichever analyzer gets the
 * partition.
 */
@NullMarked
package io.redliner.analyzer.state;

import org.jspecify.annotations.NullMarked;
