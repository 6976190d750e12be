// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.buf.MessageBytes;

/**
 * Encodes brackets in addresses of requests, as in {@code /instances/[::1]:9001}: people write them as they are, and
 * {@link java.net.URI} reads none.
 */
final class BracketValve extends ValveBase {

    /** Characters that the server has to let through for it. */
    static final String BRACKETS = "[]";

    BracketValve() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        encode(request.getCoyoteRequest().requestURI());
        encode(request.getCoyoteRequest().queryString());
        getNext().invoke(request, response);
    }

    private static void encode(MessageBytes address) {
        String text = address.toString();
        if (text != null && (text.indexOf('[') >= 0 || text.indexOf(']') >= 0)) {
            address.setString(text.replace("[", "%5B").replace("]", "%5D"));
        }
    }
}
