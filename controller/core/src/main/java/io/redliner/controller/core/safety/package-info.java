// SPDX-License-Identifier: Apache-2.0

/** Freezes, the kill switch, which ends all runs, and the reasons why a run is rejected. Plain Java. */
@NullMarked
package io.redliner.controller.core.safety;

import org.jspecify.annotations.NullMarked;
