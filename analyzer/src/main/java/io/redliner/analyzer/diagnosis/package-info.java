// SPDX-License-Identifier: Apache-2.0
/** Which resource ended a run, with evidence. Plain Java. */
@NullMarked
package io.redliner.analyzer.diagnosis;

import org.jspecify.annotations.NullMarked;
