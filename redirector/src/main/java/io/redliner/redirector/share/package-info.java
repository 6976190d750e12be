// SPDX-License-Identifier: Apache-2.0
/** Which lease counts, what the proxies should do about it, and whether they do. Plain Java. */
@NullMarked
package io.redliner.redirector.share;

import org.jspecify.annotations.NullMarked;
