package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attempts to reach what is not allowed, or to go on without end: each is a `script_exception`.
class EscapeTest {
  private static final String MANY = "List k = []; for (int i = 0; i < 99999; i++) { k.add(i) }";

  private static final String TEXT = "String s = 'a'; for (int i = 0; i < 20; i++) { s += s }";

  /// Often enough for what goes through as many elements each time.
  private static final String TIMES = "for (int i = 0; i < 2000; i++) {";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "''.getClass()",
        "params.getClass()",
        "def x = 1; x.class",
        "def x = 1; x.getClass().getClassLoader()",
        "String.class",
        "Class.forName('java.lang.Runtime')",
        "java.lang.Class.forName('x')",
        "Runtime.getRuntime().exec('id')",
        "java.lang.Runtime.getRuntime()",
        "System.exit(0)",
        "System.getProperty('user.home')",
        "System.getenv()",
        "System.getenv('PATH')",
        "System.setProperty('a', 'b')",
        "System.gc()",
        "System.load('x')",
        "System.in",
        "System.out.println('x')",
        "new Thread()",
        "new java.lang.Thread(() -> 1)",
        "Thread.sleep(1)",
        "Thread.currentThread()",
        "new ProcessBuilder(['id'])",
        "new java.io.File('/etc/passwd')",
        "new FileInputStream('/etc/passwd')",
        "java.nio.file.Files.readAllBytes(null)",
        "Files.list(null)",
        "Paths.get('/')",
        "new java.net.URL('http://127.0.0.1')",
        "new Socket('127.0.0.1', 80)",
        "InetAddress.getByName('localhost')",
        "java.lang.reflect.Array.newInstance(null, 1)",
        "java.lang.invoke.MethodHandles.lookup()",
        "MethodHandles.lookup()",
        "sun.misc.Unsafe.getUnsafe()",
        "ClassLoader.getSystemClassLoader()",
        "new javax.script.ScriptEngineManager()",
        "Executors.newFixedThreadPool(1)",
        "CompletableFuture.runAsync(() -> 1)",
        "new Timer()",
        "ForkJoinPool.commonPool()",
        "[1].parallelStream()",
        "[1].stream().parallel()",
        "new Object().wait()",
        "params.wait()",
        "params.notify()",
        "params.notifyAll()",
        "def x = params; x.wait()",
        "''.intern()",
        "'x'.matches('x')",
        "Pattern.compile('(a+)+b')",
        "dev.holdfast.script.Scripts.runsStored()",
        "Budget.charge(-1)",
        "dev.holdfast.script.runtime.Budget.charge(-9000000)",
        "this.params",
        "begin()",
        "step()",
        "failed(null)",
        "getParams()",
        "execute()",
        "Locale.setDefault(Locale.ROOT)",
        "TimeZone.setDefault(null)",
        "java.security.AccessController.doPrivileged(null)",
        "new SecurityManager()",
        "java.lang.Module",
        "String.class.getModule()",
        "Integer.getInteger('x')",
        "Long.getLong('x')",
        "Boolean.getBoolean('x')",
        "ResourceBundle.getBundle('x')",
        "ServiceLoader.load(null)",
        "new Scanner('x')",
        "new Formatter()",
        "UUID.randomUUID().getClass()",
        "throw new Error('x')",
        "throw new OutOfMemoryError()",
        "try { for (;;) {} } catch (Error e) { }",
        "try { for (;;) {} } catch (Throwable e) { }",
        "import java.io.File; 1",
        "class A {} 1",
        "static { }",
        "synchronized (params) { }",
        "assert false",
        "goto x",
        "@Override int f() { 1 } f()",
        "List<String> l = []; l",
        // without end
        "for (;;) { }",
        "while (true) { }",
        "int i = 0; do { i++ } while (true)",
        "while (true) { try { throw new Exception('x') } catch (Exception e) { } }",
        "try { while (true) { } } catch (Exception e) { return 1 }",
        "int f(int n) { return f(n + 1) } f(0)",
        "int f(int n) { n < 0 ? 0 : f(n - 1) + f(n - 1) } f(60)",
        "int a(int n) { b(n) } int b(int n) { a(n) } a(1)",
        "int f() { for (int i = 0; i < 900000; i++) { } 1 } for (int i = 0; i < 900000; i++) { f()"
            + " }",
        "List l = [1]; for (def x : l) { l = [1]; for (;;) {} }",
        "def l = [1]; l.each(x -> { for (;;) {} })",
        "IntStream.range(0, 2000000000).sum()",
        "IntStream.rangeClosed(0, 2147483647).count()",
        "LongStream.range(0L, 9000000000000L).sum()",
        "IntStream.range(0, 9000000).map(x -> x + 1).map(x -> x + 1).sum()",
        "/(a+)+b/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').matches()",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' ==~ /(a+)+b/",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ /(a|a)*b/",
        "/(a+)+b/.split('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.replaceAll(/(a+)+b/, m -> '')",
        // without a look at a character, or as soon as they are compiled
        "'' =~ /(?=){2147}/",
        "'' =~ /(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)x/",
        "'e' =~ /e\u0301\u0302\u0303\u0304\u0305\u0306\u0307/c",
        "def l = [[]]; l.each(l.get(0)::contains)",
        // without bound
        "String s = 'x'; for (int i = 0; i < 60; i++) { s += s } s",
        "def s = 'x'; for (int i = 0; i < 60; i++) { s = s + s } s",
        "String s = 'x'; for (int i = 0; i < 60; i++) { s = s.concat(s) } s",
        "String s = 'xx'; for (int i = 0; i < 60; i++) { s = s.replace('x', 'xx') } s",
        "StringBuilder s = new StringBuilder('x'); for (int i = 0; i < 60; i++) { s.append(s) } 1",
        "StringBuilder s = new StringBuilder(); s.setLength(2000000000)",
        "List l = [1]; for (int i = 0; i < 60; i++) { l.addAll(l) } 1",
        "def l = [1]; for (int i = 0; i < 60; i++) { l.addAll(0, l) } 1",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = new ArrayList(l); l.addAll(l) } 1",
        "new int[2000000000]",
        "new long[100000][100000]",
        "new def[1000000000]",
        "List l = []; for (int i = 0; i < 100000; i++) { l.add(new int[100000]) } 1",
        "new int[-1]",
        "Collections.nCopies(2000000000, 'x').toArray()",
        "String.join('x', Collections.nCopies(2000000000, 'x'))",
        "String.format('%999999999d', new def[] {1})",
        "new BitSet(2147483647)",
        "BitSet b = new BitSet(); b.set(2147483646)",
        "BitSet b = new BitSet(); b.set(0, 2147483646)",
        "new BigDecimal('1e1000000000').toBigInteger()",
        "new BigDecimal('1').scaleByPowerOfTen(1000000000)",
        "new BigDecimal('1').setScale(1000000000)",
        "BigInteger.valueOf(2L).pow(2000000000)",
        "BigInteger.valueOf(1L).shiftLeft(2000000000)",
        "BigInteger b = BigInteger.TEN; for (int i = 0; i < 60; i++) { b = b.multiply(b) } 1",
        "BigInteger.valueOf(9L).setBit(2000000000)",
        "List l = []; l.add(l); l.hashCode()",
        "List l = []; l.add(l); List k = []; k.add(k); l.equals(k)",
        "Map m = [:]; m.a = m; m.hashCode()",
        "List l = [1, 2]; for (def x : l) { l.add(1) }",
        // shared lists that mean more than there is
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return"
            + " [l].stream().collect(Collectors.toSet()).size()",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return"
            + " [l].stream().collect(Collectors.groupingBy(x -> x))",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return"
            + " [l].stream().collect(Collectors.groupingBy(x -> x, Collectors.counting()))",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return"
            + " [l].stream().collect(Collectors.toMap(x -> x, x -> 1))",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return"
            + " [l].stream().collect(Collectors.toMap(x -> x, x -> 1, (a, b) -> a))",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return"
            + " [l].stream().collect(Collectors.toCollection(HashSet::new))",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return"
            + " [l].stream().distinct().count()",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return new HashSet([l]).size()",
        "Map m = [:]; for (int i = 0; i < 60; i++) { m = ['a': m, 'b': m] } return m.hashCode()",
        // texts many times as long as what they are made of
        "StringBuffer s = new StringBuffer(); s.setLength(2000000000)",
        "new DateTimeFormatterBuilder().padNext(2000000000).appendValue(ChronoField.YEAR)",
        "Base64.getMimeEncoder(4, new byte[1000000]).encodeToString(new byte[3000])",
        "new BigInteger(String.join('', Collections.nCopies(100000, '1')), 10)",
        // lists and functions that mean more than they are
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return String.valueOf(l)",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return Objects.toString(l, '')",
        "List l = [1]; for (int i = 0; i < 60; i++) { l = [l, l] } return '' + new EventObject(l)",
        "Comparator c = Comparator.naturalOrder(); for (int i = 0; i < 60; i++) {"
            + " c = c.thenComparing(c) } return c.compare(1, 1)",
        "def f = Function.identity(); for (int i = 0; i < 60; i++) { f = f.andThen(f) } f.apply(1)",
        "Predicate p = Predicate.isEqual(1); for (int i = 0; i < 60; i++) { p = p.and(p) }"
            + " p.test(1)",
        // methods that go through all there is, as often as there is something
        "IntStream.range(0, 9999).flatMap(x -> IntStream.range(0, 9999999).limit(1)).sum()",
        "Collections.nCopies(999, 1).stream().flatMap(x -> Collections.nCopies(999999, 1).stream())"
            + ".mapToInt(Integer::intValue).sum()",
        "MANY return k.removeAll(new ArrayList(k))",
        "MANY return k.containsAll(new ArrayList(k))",
        "MANY return Collections.disjoint(k, new ArrayList(k))",
        "MANY for (;;) { k.sort(null) }",
        "def l = new LinkedList(Collections.nCopies(99999, 1)); for (;;) { l[49999] }",
        "String s = 'a'; for (int i = 0; i < 20; i++) { s += s } return s.indexOf(s + 'b')",
        "BigInteger b = BigInteger.TEN.pow(9999); for (;;) { b.gcd(b.add(BigInteger.ONE)) }",
        "MANY TIMES Collections.max(k) }",
        "MANY TIMES Collections.copy(k, k) }",
        "MANY TIMES k.sum() }",
        "MANY TIMES k.stream().filter(Predicate.isEqual(1)).count() }",
        "MANY TIMES k.removeIf(Predicate.isEqual(-1)) }",
        "MANY TIMES k.replaceAll(UnaryOperator.identity()) }",
        "MANY def j = new LinkedList(k); TIMES j.listIterator(9) }",
        "MANY def j = new ArrayList(k); boolean b; TIMES b = j == k; }",
        "MANY def m = [:]; TIMES m[k] = 1; }",
        "MANY def m = new TreeMap(); for (x in k) { m[x] = x } def h = m.tailMap(9); TIMES h.size() }",
        "def a = new int[99999]; TIMES IntStream.of(a).sum() }",
        "TEXT def t = s + 'b'; def u = s + 'b'; boolean b; TIMES b = t == u; b = u == t; }",
        "TEXT return new StringBuilder(s).indexOf(s + 'b', 1)",
        "TEXT return new StringTokenizer(s, s).hasMoreTokens()",
        "TEXT s = s.replace('a', '0'); TIMES Integer.parseInt(s) }",
        "TEXT TIMES s.codePointCount(0, 9) }",
        // parts and iterators, behind which all the rest moves
        "MANY TIMES k.subList(0, 1).clear(); k.subList(0, 1).clear(); k.subList(0, 1).clear() }",
        "MANY def p = k.subList(0, 9999).subList(0, 6); TIMES p.remove(0); p.add(0); p.add(0, 1) }",
        "MANY def p = k.subList(0, 9); TIMES p.removeAll([]); p.retainAll(k.subList(0, 9)); p.clear() }",
        "def l = new LinkedList(Collections.nCopies(99999, 1)); def p = l.subList(49999, 50000);"
            + " def x; TIMES x = p[0]; x = p[0] }",
        "MANY for (def j = k.iterator(); j.hasNext();) { j.next(); j.remove() }",
        "MANY def j = k.listIterator(); TIMES j.add(1); j.add(1); j.add(1) }",
        "MANY def j = new ArrayDeque(k).iterator(); for (int i = 0; i < 49999; i++) { j.next() }"
            + " for (int i = 0; i < 9999; i++) { j.next(); j.remove() }",
        // long texts that are read as something else
        "TEXT TIMES try { LocalDate.parse(s) } catch (DateTimeException e) { } }",
        "TEXT def f = DateTimeFormatter.ISO_DATE; TIMES try { f.parse(s) } catch (Exception e) { } }",
        "TEXT def f = new SimpleDateFormat('y'); TIMES f.parse(s, new ParsePosition(0)) }",
        "TEXT TIMES try { DateTimeFormatter.ofPattern(s) } catch (Exception e) { } }",
        "TEXT TIMES try { Locale.LanguageRange.parse(s) } catch (Exception e) { } }",
        // what processors and expressions do
        "Processors.json('{')",
        "String s = '['; for (int i = 0; i < 16; i++) { s += s } return Processors.json(s)",
        "Processors.json([:], 'x')",
        "Processors.getClass()",
        "Processors.class",
        "new Processors()",
        "Processors.bytes('x')",
        "Processors.urlDecode('%')",
        "Processors.uriParts('http://[')",
        "new ExpressionValues()",
        "ExpressionValues.abs(1)",
        "org.elasticsearch.script.expression.ExpressionValues.isMember('x', true)",
        "org.elasticsearch.script.expression.ExpressionValues.of(null, 'x', 'value')",
        "org.elasticsearch.script.expression.ExpressionValues.number([])",
        "dev.holdfast.script.ProcessorFunctions.bytes('1kb')",
        "cancelledBy(() -> true)",
        "emit(1)",
      })
  void isRefusedOrStopped(String attempt) {
    String source = attempt.replace("MANY", MANY).replace("TEXT", TEXT).replace("TIMES", TIMES);
    assertThatThrownBy(() -> PainlessTest.run(source))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              org.assertj.core.api.Assertions.assertThat(refusal.type())
                  .isEqualTo(ErrorType.SCRIPT);
            });
  }
}
