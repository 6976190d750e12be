// SPDX-License-Identifier: Apache-2.0
/** REST, server-sent events and the page. */
@NullMarked
package io.redliner.controller.api;

import org.jspecify.annotations.NullMarked;
