// SPDX-License-Identifier: Apache-2.0
/** The analyzer: judges windows against the SLA, and advises the next load. */
@NullMarked
package io.redliner.analyzer;

import org.jspecify.annotations.NullMarked;
