// SPDX-License-Identifier: Apache-2.0
/** Which instance is taken when a plan does not name one. Plain Java. */
@NullMarked
package io.redliner.controller.core.sut;

import org.jspecify.annotations.NullMarked;
