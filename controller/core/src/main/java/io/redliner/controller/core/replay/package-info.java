// SPDX-License-Identifier: Apache-2.0

/** Replays the decisions of a run from its journal, and reads and writes the journal as JSON. Plain Java. */
@NullMarked
package io.redliner.controller.core.replay;

import org.jspecify.annotations.NullMarked;
