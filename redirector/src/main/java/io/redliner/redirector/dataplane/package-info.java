// SPDX-License-Identifier: Apache-2.0
/**
 * The port to what moves the traffic. The routing that is wanted goes out through {@link DataPlane}. What proxies acknowledge and
 * reject comes in through {@link ProxyEventHandler}; it is decided whether they do what they were told. Plain Java.
 */
@NullMarked
package io.redliner.redirector.dataplane;

import org.jspecify.annotations.NullMarked;
