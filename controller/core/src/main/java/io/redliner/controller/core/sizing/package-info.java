// SPDX-License-Identifier: Apache-2.0
/** How many instances a service needs, and what those that it has can take. Plain Java. */
@NullMarked
package io.redliner.controller.core.sizing;

import org.jspecify.annotations.NullMarked;
