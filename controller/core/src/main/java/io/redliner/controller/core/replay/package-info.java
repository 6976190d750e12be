// SPDX-License-Identifier: Apache-2.0

/** Decides again what was decided. Plain Java. */
@NullMarked
package io.redliner.controller.core.replay;

import org.jspecify.annotations.NullMarked;
