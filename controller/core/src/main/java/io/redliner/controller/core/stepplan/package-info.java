// SPDX-License-Identifier: Apache-2.0
/**
 * The step plans of the profiles that do not follow the search: they set the next load and answer the profile's question.
 * Plain Java.
 */
@NullMarked
package io.redliner.controller.core.stepplan;

import org.jspecify.annotations.NullMarked;
