// SPDX-License-Identifier: Apache-2.0
/** The whole redirector against real proxies, real traffic and a real broker. */
@NullMarked
package io.redliner.redirector.endtoend;

import org.jspecify.annotations.NullMarked;
