-- Directory MSI with a network of messages, first try: it stops early, and is safe so far.
const
  ProcCount: 3;
  ValueCount: 2;
  NetMax: ProcCount+1;

type
  Proc: scalarset(ProcCount);
  Value: scalarset(ValueCount);
  Home: enum { HomeType };
  Node: union { Home, Proc };

  MessageType: enum { GetS, GetM, Fwd, Inv, InvAck, Data, PutM, PutAck };

  Message: record
    mtype: MessageType;
    src: Node;
    val: Value;
  end;

  HomeState: record
    state: enum { H_Invalid, H_Shared, H_Modified, H_Busy };
    owner: Node;
    sharers: multiset [ProcCount] of Node;
    val: Value;
  end;

  ProcState: record
    state: enum { P_Invalid, P_Shared, P_Modified, P_WaitS, P_WaitM, P_WaitPut };
    val: Value;
  end;

var
  HomeNode: HomeState;
  Procs: array [Proc] of ProcState;
  Net: array [Node] of multiset [NetMax] of Message;
  LastWrite: Value;

procedure Send(mtype: MessageType; dst: Node; src: Node; val: Value);
var msg: Message;
begin
  msg.mtype := mtype;
  msg.src := src;
  msg.val := val;
  MultiSetAdd(msg, Net[dst]);
end;

procedure AddSharer(n: Node);
begin
  if MultiSetCount(i: HomeNode.sharers, HomeNode.sharers[i] = n) = 0 then
    MultiSetAdd(n, HomeNode.sharers);
  endif;
end;

procedure RemoveSharer(n: Node);
begin
  MultiSetRemovePred(i: HomeNode.sharers, HomeNode.sharers[i] = n);
end;

procedure InvSharers(rqst: Node);
begin
  for n: Node do
    if IsMember(n, Proc) & MultiSetCount(i: HomeNode.sharers, HomeNode.sharers[i] = n) != 0 then
      if n != rqst then Send(Inv, n, HomeType, UNDEFINED); endif;
    endif;
  endfor;
end;

procedure HomeReceive(msg: Message);
begin
  switch HomeNode.state
  case H_Invalid:
    switch msg.mtype
    case GetS:
      AddSharer(msg.src);
      HomeNode.state := H_Shared;
      Send(Data, msg.src, HomeType, HomeNode.val);
    case GetM:
      HomeNode.owner := msg.src;
      HomeNode.state := H_Modified;
      Send(Data, msg.src, HomeType, HomeNode.val);
    else error "unexpected message at home";
    endswitch;
  case H_Shared:
    switch msg.mtype
    case GetS:
      AddSharer(msg.src);
      Send(Data, msg.src, HomeType, HomeNode.val);
    case GetM:
      InvSharers(msg.src);
      undefine HomeNode.sharers;
      HomeNode.owner := msg.src;
      HomeNode.state := H_Modified;
      Send(Data, msg.src, HomeType, HomeNode.val);
    else error "unexpected message at home";
    endswitch;
  else error "unhandled home state";
  endswitch;
end;

startstate
  for v: Value do
    HomeNode.state := H_Invalid;
    undefine HomeNode.owner;
    HomeNode.val := v;
    LastWrite := v;
  endfor;
  for p: Proc do Procs[p].state := P_Invalid; undefine Procs[p].val; endfor;
  undefine Net;
endstartstate;

ruleset n: Proc do
  rule "read" Procs[n].state = P_Invalid ==>
    Send(GetS, HomeType, n, UNDEFINED);
    Procs[n].state := P_WaitS;
  endrule;
endruleset;

ruleset n: Node do
  choose midx: Net[n] do
    alias chan: Net[n] do
    alias msg: chan[midx] do
      rule "receive"
        n = HomeType ==>
        HomeReceive(msg);
        MultiSetRemove(midx, chan);
      endrule;
    endalias; endalias;
  endchoose;
endruleset;

invariant "one writer"
  forall a: Proc do forall b: Proc do
    Procs[a].state = P_Modified & a != b -> Procs[b].state != P_Modified & Procs[b].state != P_Shared
  endforall endforall;
