// SPDX-License-Identifier: Apache-2.0
/** The step plans of the profiles that do not follow the search: what load is wanted next, and what it answered. Plain Java. */
@NullMarked
package io.redliner.controller.core.stepplan;

import org.jspecify.annotations.NullMarked;
