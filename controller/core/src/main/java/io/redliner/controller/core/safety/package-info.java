// SPDX-License-Identifier: Apache-2.0

/** Decides whether a run may begin: the start policy, freezes, and the kill switch, which ends all runs. Plain Java. */
@NullMarked
package io.redliner.controller.core.safety;

import org.jspecify.annotations.NullMarked;
