// SPDX-License-Identifier: Apache-2.0
import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;

/**
 * Counts how the house stands: {@code java build/House.java} in the repository's folder, {@code --list} with each place. The
 * benchmarks are counted apart. With {@code --check} it ends with 1 when a rule is broken that the build keeps.
 */
final class House {

    /** A name shares a word with its type, or is one of these, which say what a thing is for where its type is for many. */
    private static final Set<String> USUAL_NAMES = Set.of("other", "that", "before", "after", "first", "second", "last", "next", "one",
            "left", "right", "from", "to", "now", "given", "earlier", "later", "old", "previous", "newest", "sum", "more", "own", "cause");

    /** Types that are a unit: a name says what is measured. */
    private static final Set<String> UNITS = Set.of("Share");

    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+");

    private static final Pattern UNUSUAL_BOUND = Pattern.compile("(MOST|LONGEST|FEWEST|LARGEST|SHORTEST|SMALLEST|LEAST|HIGHEST|LOWEST)_.*");

    /** A javadoc that begins with one of these is a riddle: it does not say of what it speaks. */
    private static final Set<String> RIDDLES = Set.of("Of", "What", "Those", "Who", "As", "That", "Whether");

    private static final double MAX_UNLIKE = 0.05;

    private static final int MAX_COMPONENTS = 8;

    private final Set<String> types = new HashSet<>();

    private final List<String> unlikeFields = new ArrayList<>();

    private final List<String> unlikeComponents = new ArrayList<>();

    private final List<String> unlikeLocals = new ArrayList<>();

    private final List<String> unusualBounds = new ArrayList<>();

    private final List<String> riddles = new ArrayList<>();

    private final List<String> largeRecords = new ArrayList<>();

    private int fields;

    private int components;

    private int locals;

    public static void main(String[] arguments) throws IOException {
        List<String> options = List.of(arguments);
        House house = new House();
        List<Path> main = sources(path -> !path.startsWith("benchmarks"));
        house.read(main);
        house.print(main, options.contains("--list"));
        if (options.contains("--check") && !house.holds()) {
            System.exit(1);
        }
    }

    private static List<Path> sources(Predicate<Path> wanted) throws IOException {
        return files(".java").stream().filter(path -> path.toString().contains("src/main/java")).filter(wanted).toList();
    }

    private static List<Path> files(String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(Path.of(""), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                return name.equals("target") || name.equals("node_modules") || name.startsWith(".")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(ending)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                // A build beside this one removes files that are not in the repository.
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(null);
        return found;
    }

    private void read(List<Path> main) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var manager = compiler.getStandardFileManager(null, null, null);
        var task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null,
                manager.getJavaFileObjectsFromPaths(main));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        units.forEach(unit -> new TreePathScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree type, Void unused) {
                types.add(type.getSimpleName().toString());
                return super.visitClass(type, unused);
            }
        }.scan(unit, null));
        DocTrees docs = DocTrees.instance(task);
        units.forEach(unit -> new Scanner(unit, docs).scan(unit, null));
    }

    private final class Scanner extends TreePathScanner<Void, Void> {

        private final CompilationUnitTree unit;

        private final DocTrees docs;

        Scanner(CompilationUnitTree unit, DocTrees docs) {
            this.unit = unit;
            this.docs = docs;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            javadoc(type);
            if (type.getKind() == Tree.Kind.RECORD) {
                long components = type.getMembers().stream().filter(member -> member instanceof VariableTree field
                        && !field.getModifiers().getFlags().contains(Modifier.STATIC)).count();
                if (components > MAX_COMPONENTS && !place(type).contains("/service/web/")) {
                    largeRecords.add(place(type) + " " + type.getSimpleName() + " " + components);
                }
            }
            return super.visitClass(type, unused);
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            javadoc(method);
            return super.visitMethod(method, unused);
        }

        @Override
        public Void visitVariable(VariableTree variable, Void unused) {
            Tree parent = getCurrentPath().getParentPath().getLeaf();
            boolean field = parent instanceof ClassTree;
            if (field) {
                javadoc(variable);
                if (UNUSUAL_BOUND.matcher(variable.getName()).matches()) {
                    unusualBounds.add(place(variable) + " " + variable.getName());
                }
            }
            String type = simple(variable.getType());
            boolean inferred = parent instanceof LambdaExpressionTree;
            boolean constant = variable.getModifiers().getFlags().containsAll(Set.of(Modifier.STATIC, Modifier.FINAL))
                    || (parent instanceof ClassTree owner && owner.getKind() == Tree.Kind.ENUM
                            && owner.getSimpleName().contentEquals(String.valueOf(type)));
            if (type != null && types.contains(type) && !UNITS.contains(type) && !inferred && !constant) {
                boolean like = alike(variable.getName().toString(), type);
                boolean component = parent instanceof ClassTree owner && owner.getKind() == Tree.Kind.RECORD;
                if (component) {
                    components++;
                } else if (field) {
                    fields++;
                } else {
                    locals++;
                }
                if (!like) {
                    (component ? unlikeComponents : field ? unlikeFields : unlikeLocals).add(place(variable) + " " + type + " " + variable.getName());
                }
            }
            return super.visitVariable(variable, unused);
        }

        private void javadoc(Tree tree) {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            if (comment != null && !comment.getFirstSentence().isEmpty()) {
                String word = comment.getFirstSentence().getFirst().toString().strip().split("\\W+", 2)[0];
                if (RIDDLES.contains(word)) {
                    riddles.add(place(tree) + " " + comment.getFirstSentence().toString().replace('\n', ' '));
                }
            }
        }

        private String place(Tree tree) {
            long position = docs.getSourcePositions().getStartPosition(unit, tree);
            return Path.of("").toAbsolutePath().relativize(Path.of(unit.getSourceFile().toUri())) + ":"
                    + unit.getLineMap().getLineNumber(position);
        }
    }

    private static String simple(Tree type) {
        return switch (type) {
            case null -> null;
            case AnnotatedTypeTree annotated -> simple(annotated.getUnderlyingType());
            case ParameterizedTypeTree generic -> simple(generic.getType());
            case MemberSelectTree nested -> nested.getIdentifier().toString();
            case IdentifierTree name -> name.getName().toString();
            default -> null;
        };
    }

    private static boolean alike(String name, String type) {
        Set<String> ofName = words(name);
        return !Collections.disjoint(ofName, words(type)) || USUAL_NAMES.containsAll(ofName);
    }

    private static Set<String> words(String name) {
        return WORD.matcher(name.contains("_") ? name.toLowerCase(Locale.ROOT) : name).results()
                .map(match -> match.group().toLowerCase(Locale.ROOT))
                .map(word -> word.endsWith("ies") ? word.substring(0, word.length() - 3) + "y"
                        : word.endsWith("s") && !word.endsWith("ss") ? word.substring(0, word.length() - 1) : word)
                .collect(Collectors.toSet());
    }

    private static long codeLines(List<Path> files) throws IOException {
        long lines = 0;
        for (Path file : files) {
            boolean comment = false;
            for (String line : Files.readAllLines(file)) {
                String text = line.strip();
                if (text.startsWith("/*")) {
                    comment = true;
                }
                if (!comment && !text.isEmpty() && !text.startsWith("//") && !text.startsWith("import ")
                        && !text.startsWith("package ")) {
                    lines++;
                }
                if (text.endsWith("*/")) {
                    comment = false;
                }
            }
        }
        return lines;
    }

    private static long words() throws IOException {
        long words = 0;
        for (Path file : files(".md")) {
            words += Arrays.stream(Files.readString(file).split("\\s+")).filter(word -> !word.isBlank()).count();
        }
        return words;
    }

    private void print(List<Path> main, boolean list) throws IOException {
        System.out.println("code lines of main, benchmarks apart      " + codeLines(main) + " (48000)");
        System.out.println("files of main, benchmarks apart           " + main.size() + " (850)");
        print("fields unlike their type, of " + fields + "         ", unlikeFields, list);
        print("record components, of " + components + "             ", unlikeComponents, list);
        print("parameters and locals, of " + locals + "         ", unlikeLocals, list);
        print("constants like MOST_ and LONGEST_         ", unusualBounds, list);
        print("javadocs that begin with Of, What, ...    ", riddles, list);
        print("records with more than 8 components       ", largeRecords, list);
        System.out.println("words of documents                        " + words() + " (45000)");
    }

    private static void print(String what, List<String> places, boolean list) {
        System.out.println(what + places.size());
        if (list) {
            places.forEach(place -> System.out.println("  " + place));
        }
    }

    private boolean holds() {
        return unlikeFields.size() < MAX_UNLIKE * fields && unusualBounds.isEmpty() && riddles.isEmpty();
    }
}
