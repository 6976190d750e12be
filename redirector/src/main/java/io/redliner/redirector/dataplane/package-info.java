// SPDX-License-Identifier: Apache-2.0
/**
 * The proxies, and what each of them has. What proxies acknowledge and reject comes in through {@link ProxyEventHandler}, from
 * every kind of data plane. {@link AcknowledgementStatus} says whether they do what was sent to them. Plain Java.
 */
@NullMarked
package io.redliner.redirector.dataplane;

import org.jspecify.annotations.NullMarked;
