// SPDX-License-Identifier: Apache-2.0
/**
 * The port to what moves the traffic. The routing that is wanted goes out through {@link DataPlane}. What proxies acknowledge and
 * reject comes in through {@link ProxyEventHandler}; {@link AcknowledgementStatus} says
 * whether they do what was sent to them. Plain Java.
 */
@NullMarked
package io.redliner.redirector.dataplane;

import org.jspecify.annotations.NullMarked;
