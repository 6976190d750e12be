// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.service.security.AccessProperties.Mode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Refuses to start a controller that other machines can reach and that does not authenticate callers. It checks the settings before
 * a database is touched or a port is bound.
 */
final class OpenModeValidator implements BeanFactoryPostProcessor {

    private final Environment environment;

    OpenModeValidator(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
        Mode mode = Binder.get(environment).bind("redliner.controller.access.mode", Mode.class).orElse(Mode.OPEN);
        String address = environment.getProperty("server.address");
        if (mode == Mode.OPEN && !loopback(address)) {
            throw new AccessNotConfiguredException(
                    (address == null || address.isBlank()
                            ? "server.address is not set, so that every machine can reach the controller"
                            : "server.address is " + address + ", which other machines can reach")
                            + ", and redliner.controller.access.mode is open: everybody would be an admin",
                    "Either set server.address to a loopback address such as 127.0.0.1, or set"
                            + " redliner.controller.access.mode to authenticated, and give people a way in:"
                            + " redliner.controller.access.bootstrap-token-file for the first admin's token, or"
                            + " redliner.controller.access.oidc.issuer-uri and .audience for an identity provider.");
        }
        requireManagementHere();
    }

    /** The filters of this package stand before the main port only. */
    private void requireManagementHere() {
        String port = environment.getProperty("management.server.port", "-1");
        String address = environment.getProperty("management.server.address",
                environment.getProperty("server.address", ""));
        boolean own = !port.equals("-1")
                && (port.equals("0") || !port.equals(environment.getProperty("server.port", "8080")));
        if (own && !loopback(address)) {
            throw new AccessNotConfiguredException(
                    "management.server.port is a port of its own that other machines can reach, and nothing guards it",
                    "Leave management.server.port out, or set management.server.address to a loopback address.");
        }
    }

    private static boolean loopback(@Nullable String address) {
        try {
            return address != null && !address.isBlank() && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
