// SPDX-License-Identifier: Apache-2.0
/**
 * What is in force. Leases and the kill switch come in, and what the proxies acknowledged. It is decided which lease counts and for
 * how long; routing goes out through {@link DataPlane}, and the status of each service to the controllers. Plain Java.
 */
@NullMarked
package io.redliner.redirector.lease;

import org.jspecify.annotations.NullMarked;
