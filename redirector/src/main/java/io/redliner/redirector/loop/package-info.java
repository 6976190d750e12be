// SPDX-License-Identifier: Apache-2.0
/** The one thread that all state changes happen on. */
@NullMarked
package io.redliner.redirector.loop;

import org.jspecify.annotations.NullMarked;
