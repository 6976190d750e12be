// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.io.Serial;
import java.net.UnknownHostException;

/** A host has an address that nothing is sent to. */
final class AddressRefusedException extends UnknownHostException {

    @Serial
    private static final long serialVersionUID = 1;

    AddressRefusedException(String message) {
        super(message);
    }
}
