// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.security.AuthorizationRules;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpStatus;

/** Refuses everything but aborts and the kill switch at the port of emergency calls, before anything is read of it. */
final class EmergencyConnectorValve extends ValveBase {

    private final Predicate<Connector> emergency;

    /** @param emergency whether a connector is the one of emergency calls */
    EmergencyConnectorValve(Predicate<Connector> emergency) {
        super(true);
        this.emergency = emergency;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (emergency.test(request.getConnector()) && !response.isError() && !AuthorizationRules.stops(request)) {
            ProblemValve.write(response, HttpStatus.NOT_FOUND.value(),
                    "this port serves POST /api/v1/kill-switch, and POST :abort of runs and series, alone");
        } else {
            getNext().invoke(request, response);
        }
    }
}
