// SPDX-License-Identifier: Apache-2.0

/** Who asks for something, and what role and teams that caller has. Plain Java. */
@NullMarked
package io.redliner.controller.core.security;

import org.jspecify.annotations.NullMarked;
