// SPDX-License-Identifier: Apache-2.0
/**
 * The proxies, and what each of them has. What proxies acknowledge and reject comes in through {@link ProxyEventHandler}, from
 * every kind of data plane; what they shall do goes out through {@link io.redliner.redirector.lease.DataPlane}.
 * {@link AcknowledgementStatus} says whether they do it. Plain Java.
 */
@NullMarked
package io.redliner.redirector.dataplane;

import org.jspecify.annotations.NullMarked;
