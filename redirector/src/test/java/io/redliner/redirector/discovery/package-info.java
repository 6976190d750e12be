// SPDX-License-Identifier: Apache-2.0
/** Services and fleets put together as the redirector has them, without proxies. */
@NullMarked
package io.redliner.redirector.discovery;

import org.jspecify.annotations.NullMarked;
