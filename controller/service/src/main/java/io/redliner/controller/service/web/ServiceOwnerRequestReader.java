// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.contract.text.PlainText;

/** Reads the body of a request that gives a service to a team: an object whose only field is {@code team}. */
public final class ServiceOwnerRequestReader {

    private static final int MAX_LENGTH = 100;

    private ServiceOwnerRequestReader() {}

    /**
     * Returns the team.
     *
     * @throws InvalidDocumentException with all mistakes
     */
    public static String read(String text) throws InvalidDocumentException {
        return NodeReader.read(YamlParser.read(text),
                fields -> fields.required("team", ServiceOwnerRequestReader::team));
    }

    static String team(String text) {
        if (text.isBlank() || text.length() > MAX_LENGTH || !text.equals(text.strip())
                || !PlainText.line(text)) {
            throw new IllegalArgumentException("is no team; use 1 to " + MAX_LENGTH + " characters of one line");
        }
        return text;
    }
}
