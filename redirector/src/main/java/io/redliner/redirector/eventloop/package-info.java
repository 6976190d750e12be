// SPDX-License-Identifier: Apache-2.0
/** The one thread that all state changes happen on. */
@NullMarked
package io.redliner.redirector.eventloop;

import org.jspecify.annotations.NullMarked;
