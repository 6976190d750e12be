// SPDX-License-Identifier: Apache-2.0

/** Whether a run may begin, and what stops all of them. Plain Java. */
@NullMarked
package io.redliner.controller.core.safety;

import org.jspecify.annotations.NullMarked;
