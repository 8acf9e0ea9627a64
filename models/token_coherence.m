-- paraproof: verdict = proven
-- paraproof: rules = 9
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 3444
-- paraproof: states NODE_NUM=3 30600

-- Token coherence, the part that safety rests on.
--
-- A line has a fixed number of tokens, one of which is the owner token. A node may read
-- with a token and valid data, and write with all of them. Tokens travel in messages over
-- an unordered network, and the owner token always travels with data. Which requests make
-- nodes send tokens, and when, is a matter of performance: here any node may send what it
-- has to any other one, or back to memory, at any time.
--
-- A message carries one token; a node that gives up a line sends a message for each. When
-- a node without tokens gets one without data, what it has is stale. What a node has is a
-- relation between nodes and tokens. With a counter for each node, that the counters and
-- the messages add up to the number of tokens is a sum, which no invariant of this tool
-- says.
--
-- M. M. K. Martin, M. D. Hill and D. A. Wood, 'Token coherence: decoupling performance and
-- correctness', ISCA 2003.

const
  NODE_NUM : 2;
  TOKEN_NUM : 2;
  VALUE_NUM : 2;

type
  NODE : scalarset (NODE_NUM);
  TOKEN : scalarset (TOKEN_NUM);
  VALUE : scalarset (VALUE_NUM);
  MESSAGE : record token : TOKEN; hasData : boolean; val : VALUE; end;
  CACHE : record has : array [TOKEN] of boolean; valid : boolean; val : VALUE; end;

var
  cache : array [NODE] of CACHE;
  ownerToken : TOKEN;
  inMem : array [TOKEN] of boolean;
  mem : VALUE;
  last : VALUE;
  tonode : array [NODE] of multiset [TOKEN_NUM] of MESSAGE;
  tomem : multiset [TOKEN_NUM] of MESSAGE;

procedure Send(n : NODE; t : TOKEN; hasData : boolean; v : VALUE);
var m : MESSAGE;
begin
  m.token := t; m.hasData := hasData; m.val := v;
  multisetadd(m, tonode[n]);
end;

procedure GiveBack(t : TOKEN; hasData : boolean; v : VALUE);
var m : MESSAGE;
begin
  m.token := t; m.hasData := hasData; m.val := v;
  multisetadd(m, tomem);
end;

ruleset v : VALUE; t : TOKEN do
  startstate "Init"
    for n : NODE do
      cache[n].valid := false; cache[n].val := v;
      for u : TOKEN do cache[n].has[u] := false; end;
    end;
    for u : TOKEN do inMem[u] := true; end;
    ownerToken := t;
    mem := v; last := v;
    undefine tonode; undefine tomem;
  end;
end;

ruleset n : NODE do
  alias c : cache[n] do
    ruleset v : VALUE do
      rule "Write" c.valid & forall t : TOKEN do c.has[t] end ==>
        c.val := v; last := v;
      end;
    end;

    ruleset t : TOKEN do
      ruleset m : NODE do
        -- For a reader.
        rule "Share" m != n & c.has[t] & c.valid ==>
          c.has[t] := false;
          Send(m, t, true, c.val);
        end;
        -- For a writer: without the owner token no data is needed.
        rule "Give" m != n & c.has[t] & t != ownerToken ==>
          c.has[t] := false;
          Send(m, t, false, c.val);
        end;
      end;
      rule "Evict" c.has[t] ==>
        c.has[t] := false;
        GiveBack(t, t = ownerToken, c.val);
      end;
    end;

    choose i : tonode[n] do
      alias m : tonode[n][i] do
        rule "ReceiveData" m.hasData ==>
          c.val := m.val; c.valid := true;
          c.has[m.token] := true;
          multisetremove(i, tonode[n]);
        end;
        rule "ReceiveToken" !m.hasData ==>
          if forall t : TOKEN do !c.has[t] end then c.valid := false; end;
          c.has[m.token] := true;
          multisetremove(i, tonode[n]);
        end;
      end;
    end;
  end;
end;

choose i : tomem do
  rule "ReceiveInMem" true ==>
    inMem[tomem[i].token] := true;
    if tomem[i].hasData then mem := tomem[i].val; end;
    multisetremove(i, tomem);
  end;
end;

-- Memory has valid data while it has the owner token.
ruleset n : NODE; t : TOKEN do
  rule "MemShare" inMem[t] & inMem[ownerToken] ==>
    inMem[t] := false;
    Send(n, t, true, mem);
  end;
  rule "MemGive" inMem[t] & t != ownerToken ==>
    inMem[t] := false;
    Send(n, t, false, mem);
  end;
end;

-- So who has all tokens is the only one who may read.
invariant "OneHolder"
  forall t : TOKEN do forall i : NODE do forall j : NODE do
    (i != j -> !(cache[i].has[t] & cache[j].has[t])) & !(cache[i].has[t] & inMem[t])
  end end end;
invariant "LastValue"
  forall i : NODE do forall t : TOKEN do
    cache[i].valid & cache[i].has[t] -> cache[i].val = last
  end end;
