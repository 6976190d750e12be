// SPDX-License-Identifier: Apache-2.0

/** The callers of the API, with their roles and teams. Plain Java. */
@NullMarked
package io.redliner.controller.core.security;

import org.jspecify.annotations.NullMarked;
