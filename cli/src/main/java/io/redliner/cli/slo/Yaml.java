// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.YamlNode;
import java.util.List;
import java.util.Optional;

/** Looks up values in documents of others, whose unknown fields do not matter. */
final class Yaml {

    private Yaml() {}

    /** Returns the value at a path of fields. */
    static Optional<YamlNode> find(YamlNode node, String... path) {
        YamlNode found = node;
        for (String name : path) {
            YamlNode.Field field = found instanceof YamlNode.Fields object ? object.fields().get(name) : null;
            if (field == null) {
                return Optional.empty();
            }
            found = field.value();
        }
        return Optional.of(found);
    }

    /** Returns the text of a value; empty when it is not there, or no single value. */
    static Optional<String> text(YamlNode node, String... path) {
        return find(node, path).filter(YamlNode.Scalar.class::isInstance)
                .map(value -> ((YamlNode.Scalar) value).text());
    }

    /** Returns the items of a list; none when it is not there, or no list. */
    static List<YamlNode> items(YamlNode node, String... path) {
        return find(node, path).filter(YamlNode.Items.class::isInstance)
                .map(value -> ((YamlNode.Items) value).items()).orElse(List.of());
    }

    static InvalidDocumentException mistake(YamlNode node, String message) {
        return new InvalidDocumentException(
                List.of(DocumentProblem.at(node.path(), node.line(), node.column(), message)));
    }
}
