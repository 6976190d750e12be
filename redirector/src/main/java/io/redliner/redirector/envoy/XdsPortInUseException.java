// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import java.io.Serial;
import java.net.InetSocketAddress;

/** The xDS server cannot listen at its configured address. */
public class XdsPortInUseException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    XdsPortInUseException(InetSocketAddress address, Throwable cause) {
        super("cannot listen for proxies on " + address.getHostString() + ":" + address.getPort()
                + ", is the port in use? Set redliner.redirector.xds.port to another, or to 0 for a free one", cause);
    }
}
