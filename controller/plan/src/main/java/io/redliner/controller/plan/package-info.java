// SPDX-License-Identifier: Apache-2.0
/** What is to be tested and within which bounds: the plan, its units and its validation. Plain Java. */
@NullMarked
package io.redliner.controller.plan;

import org.jspecify.annotations.NullMarked;
