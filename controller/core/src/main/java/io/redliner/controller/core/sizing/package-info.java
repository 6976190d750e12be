// SPDX-License-Identifier: Apache-2.0
/** Computes how many instances a service needs, and how much load its present ones can take. Plain Java. */
@NullMarked
package io.redliner.controller.core.sizing;

import org.jspecify.annotations.NullMarked;
